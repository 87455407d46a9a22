"""What the processes do that the tests start and kill."""

from __future__ import annotations

import json
import os
import resource
import signal
import threading
import time
import uuid
from pathlib import Path

from rarefind.core.asked_by import UNKNOWN
from rarefind.core.errors import RarefindError, StorageError
from rarefind.store import Candidate, Event, open_store

CLASSES = ["fraud", "error", "ordinary"]


def client_event(client, number):
    """The event that this client sends with that number: the same every time it is sent."""
    id = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{client} {number}"))
    row = number * 100 + client
    if number % 5 == 4:
        target = client_event(client, number - 1).id
        return Event(id, "hunt", "undo", None, target, f"client {client}", at=0.0)
    if number % 5 == 3:
        return Event(id, "hunt", "skip", row, None, f"client {client}", at=0.0)
    label = CLASSES[number % 3]
    return Event(id, "hunt", "label", row, label, f"client {client}", at=0.0, asked_by=UNKNOWN)


def label(address, starts, acks, end):
    """Label with one thread per client, each from its own number on, until there is a file ``end``.

    A line is written only after the store has acknowledged, with one system call, so that it
    survives the death of this process. Errors are written down too.
    """
    paper = os.open(acks, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    store = open_store(address)

    def work(client, number):
        while not Path(end).exists():
            event = client_event(client, number)
            try:
                if event.row is not None:
                    candidate = Candidate(event.row, "next")
                    store.take_leases(
                        "hunt", event.annotator, [candidate], count=1, seconds=60, now=time.time()
                    )
                kept = store.keep(event)
            except RarefindError as problem:
                _note(paper, client=client, number=number, error=str(problem))
                return
            _note(paper, client=client, number=number, id=event.id, seq=kept.event.seq)
            number += 1

    threads = [
        threading.Thread(target=work, args=(int(client), number))
        for client, number in starts.items()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()


def make(address, out):
    """Open a store, and make it if nobody has."""
    open_store(address).close()
    Path(out).write_text("made")


def use_after_fork(address, out):
    """Open a store and use it in a child."""
    store = open_store(address)
    child = os.fork()
    if child == 0:
        try:
            store.release("none")
        except RarefindError as problem:
            Path(out).write_text(str(problem))
        os._exit(0)
    os.waitpid(child, 0)
    store.close()


def say_why_refused(address, out):
    """Try to open a store as somebody who is not root."""
    if os.geteuid() == 0:
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
    try:
        open_store(address).close()
        said = "opened"
    except StorageError as problem:
        said = str(problem)
    Path(out).write_text(said)


def fill_the_disk(address, out, limit):
    """Label until no file may grow any more, then with room again."""
    report = {"kept": [], "refused": [], "errors": [], "resumed": []}
    with open_store(address) as store:
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        number = 0
        while len(report["refused"]) < 5:
            event = client_event(1, number)
            try:
                store.keep(event)
                report["kept"].append(event.id)
                number += 1
            except StorageError as problem:
                report["refused"].append(event.id)
                report["errors"].append(str(problem))
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        for more in range(20):
            report["resumed"].append(store.keep(client_event(1, number + more)).event.id)
        report["events"] = [event.id for event in store.events("hunt")]
        report["ok"] = store.check().ok
    Path(out).write_text(json.dumps(report))


def read_without_writing(address, out, how):
    """Read a store on a full disk, or as somebody who may not write it, and try to write."""
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    if how == "full":
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    elif os.geteuid() == 0:
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
    with open_store(address, create=False, to_read=True) as store:
        report = {
            "why": store.read_only,
            "hunts": [hunt.name for hunt in store.hunts()],
            "events": [event.id for event in store.events("hunt")],
            "ok": store.check().ok,
        }
        try:
            store.keep(client_event(2, 0))
        except StorageError as problem:
            report["refused"] = str(problem)
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        copy = Path(out).with_name("copy.db")
        store.backup(copy)
    with open_store(copy) as store:
        report["copied"] = [event.id for event in store.events("hunt")]
    Path(out).write_text(json.dumps(report))


def upgrade(address, folder, out):
    """Bring a store to the version of the migrations in that folder."""
    from rarefind.store import upgrade_store
    from rarefind.store.database import migrations
    from rarefind.store.database import tables as schema

    migrations.FOLDER = Path(folder)
    schema.VERSION += 1
    Path(out).write_text("begun")
    upgrade_store(address)
    Path(out).write_text("done")


def upgrade_until(address, statement, out):
    """Bring a store up to date, but die (-9) before the statement, or commit, of that number.

    Without a number, 0, all are carried out; how many there were is written down.
    """
    from sqlalchemy import Engine, event

    from rarefind.store import upgrade_store

    seen = 0

    def count(*_):
        nonlocal seen
        seen += 1
        if seen == statement:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "before_cursor_execute", count)
    event.listen(Engine, "commit", count)
    upgrade_store(address)
    Path(out).write_text(str(seen))


def _note(paper, **what):
    os.write(paper, json.dumps(what).encode() + b"\n")
