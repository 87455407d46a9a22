"""The browser and the database server that tests drive are real and answer."""

from __future__ import annotations

import psycopg


def test_a_real_database_server_answers(postgres):
    with psycopg.connect(postgres) as connection:
        version = connection.execute("show server_version_num").fetchone()
    assert int(version[0]) >= 150000


def test_a_real_browser_renders(chromium):
    page = chromium.new_page()
    page.set_content("<h1>rarefind</h1>")
    assert page.locator("h1").inner_text() == "rarefind"
    page.close()
