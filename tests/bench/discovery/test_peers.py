from __future__ import annotations

import numpy as np

from rarefind_bench.discovery.peers import PEERS, Peer, first_seen, installed_peers


def test_a_peer_is_counted_by_the_order_it_shows_records_in():
    labels = ["crowd", "fraud", "crowd", "abuse"]
    peer = Peer("sklearn", "scikit-learn", lambda X, labels, ordinary, seed: iter([2, 3, 0, 1]))
    X = np.zeros((4, 1))
    assert first_seen(peer, X, labels, "crowd", 0, budget=10) == (2.0, 4.0)
    assert first_seen(peer, X, labels, "crowd", 0, budget=3) == (2.0, np.inf)


def test_scikit_learns_forest_shows_the_outlier_first():
    X = np.concatenate([np.random.default_rng(0).normal(size=(60, 2)), [[30.0, 30.0]]])
    labels = ["crowd"] * 60 + ["odd"]
    peer = PEERS["scikit-learn IsolationForest"]
    assert first_seen(peer, X, labels, "crowd", 0, budget=5) == (1.0,)


def test_what_is_not_installed_is_named_with_the_command_to_install_it():
    here, notes = installed_peers()
    assert "scikit-learn IsolationForest" in here
    assert len(here) + len(notes) == len(PEERS)
    assert all("pip install" in note for note in notes)
