-- A store of version 4 on PostgreSQL, as pg_dump writes it.
CREATE TABLE counter (
    id integer NOT NULL,
    last_seq bigint NOT NULL
);
CREATE TABLE datasets (
    id text NOT NULL,
    name text NOT NULL,
    path text NOT NULL,
    sha256 text NOT NULL,
    n_rows bigint NOT NULL,
    reading text NOT NULL,
    created_at double precision NOT NULL
);
CREATE TABLE events (
    seq bigint NOT NULL,
    id text NOT NULL,
    hunt text NOT NULL,
    kind text NOT NULL,
    "row" bigint,
    value text,
    annotator text NOT NULL,
    at double precision NOT NULL,
    previous bigint NOT NULL,
    digest text NOT NULL,
    asked_by text
);
CREATE TABLE hunts (
    id text NOT NULL,
    name text NOT NULL,
    dataset text NOT NULL,
    settings text NOT NULL,
    created_at double precision NOT NULL
);
CREATE TABLE leases (
    id text NOT NULL,
    hunt text NOT NULL,
    "row" bigint NOT NULL,
    annotator text NOT NULL,
    place bigint NOT NULL,
    reason text NOT NULL,
    expires_at double precision NOT NULL
);
CREATE TABLE rankings (
    id text NOT NULL,
    hunt text NOT NULL,
    target text NOT NULL,
    model text NOT NULL,
    after_seq bigint NOT NULL,
    note text NOT NULL,
    created_at double precision NOT NULL,
    rows bytea NOT NULL,
    scores bytea NOT NULL
);
CREATE TABLE rarefind_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE standing (
    hunt text NOT NULL,
    "row" bigint NOT NULL,
    annotator text NOT NULL,
    seq bigint NOT NULL
);
CREATE TABLE undone (
    seq bigint NOT NULL,
    by_seq bigint NOT NULL
);
INSERT INTO counter VALUES (1, 18);
INSERT INTO datasets VALUES ('data', 'payments', 'payments.csv', 'abababababababababababababababababababababababababababababababab', 1000, '{"columns": {"amount": "number"}}', 10);
INSERT INTO datasets VALUES ('more', 'more payments', 'more.csv', 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 500, '{}', 15);
INSERT INTO events VALUES (13, 'told', 'first', 'label', 40, 'odd 0', 'ann', 1794886693.9127684, 12, '2feafd4c23cd561d', NULL);
INSERT INTO events VALUES (14, 'skipped', 'first', 'skip', 41, NULL, 'ann', 1794886693.9176378, 13, '1bb1f764b8934ebe', NULL);
INSERT INTO events VALUES (15, 'undone', 'first', 'undo', NULL, 'asked-3', 'ann', 1794886693.9227686, 14, '84996d8dcb9a1d2d', NULL);
INSERT INTO events VALUES (16, 'grown', 'first', 'append', NULL, 'more', 'ann', 1794886694.0012388, 15, 'cad323bffc581798', NULL);
INSERT INTO events VALUES (1, 'asked-0', 'first', 'label', 0, 'odd 0', 'Björn ☃', 1794886693.6297698, 0, '26ec0b57cc514179', '{"member": "unknown", "notes": {}}');
INSERT INTO events VALUES (2, 'asked-1', 'first', 'label', 1, 'ordinary', 'ann', 1794886693.7094593, 1, '6bfe06d0be02667c', '{"member": "unknown", "notes": {}}');
INSERT INTO events VALUES (3, 'asked-2', 'first', 'label', 2, 'ordinary', 'ann', 1794886693.7132308, 2, '2247f32cd89f8036', '{"member": "unknown", "notes": {}}');
INSERT INTO events VALUES (4, 'asked-3', 'first', 'label', 3, 'ordinary', 'Björn ☃', 1794886693.7195592, 3, 'ba10140f4da50228', '{"member": "unknown", "notes": {}}');
INSERT INTO events VALUES (5, 'asked-4', 'first', 'label', 4, 'odd 4', 'ann', 1794886693.741532, 4, '7a3b6ae3a83a2827', '{"member": "unknown", "notes": {}}');
INSERT INTO events VALUES (6, 'asked-5', 'first', 'label', 5, 'ordinary', 'ann', 1794886693.7462022, 5, 'd280f6da3081c8d4', '{"member": "unknown", "notes": {}}');
INSERT INTO events VALUES (7, 'asked-6', 'first', 'label', 6, 'ordinary', 'Björn ☃', 1794886693.7778695, 6, '279f9b8ae49d1859', '{"member": "unknown", "notes": {}}');
INSERT INTO events VALUES (8, 'asked-7', 'first', 'label', 7, 'ordinary', 'ann', 1794886693.7853937, 7, '712c018bbd6e864b', '{"member": "unknown", "notes": {}}');
INSERT INTO events VALUES (9, 'asked-8', 'first', 'label', 8, 'odd 8', 'ann', 1794886693.8150022, 8, '57a75538a2c4c3d4', '{"member": "unknown", "notes": {}}');
INSERT INTO events VALUES (10, 'asked-9', 'first', 'label', 9, 'ordinary', 'Björn ☃', 1794886693.8371797, 9, '48dad717bc1e88e1', '{"member": "unknown", "notes": {}}');
INSERT INTO events VALUES (11, 'asked-10', 'first', 'label', 10, 'ordinary', 'ann', 1794886693.853613, 10, 'd831f606a34ad724', '{"member": "unknown", "notes": {}}');
INSERT INTO events VALUES (12, 'asked-11', 'first', 'label', 11, 'ordinary', 'ann', 1794886693.8574514, 11, 'bf5c7a7dbc061606', '{"member": "unknown", "notes": {}}');
INSERT INTO events VALUES (17, 'other', 'second', 'label', 7, 'x', 'cem', 1794886694.0240622, 0, '6c4dcc0e90e48365', '{"member": "unknown", "notes": {}}');
INSERT INTO events VALUES (18, 'renamed', 'first', 'rename', NULL, '["odd 8", "strange"]', 'ann', 1794962424.7669878, 16, 'febacede71f3b339', NULL);
INSERT INTO hunts VALUES ('first', 'the first', 'data', '{"seed": 0, "strategy": "auto"}', 20);
INSERT INTO hunts VALUES ('second', 'the second', 'data', '{"seed": 0, "strategy": "auto"}', 20);
INSERT INTO leases VALUES ('e1e93ff73693424ea161b157fc34b555', 'first', 50, 'ann', 1, '{"evidence": {"oddness": 2.5}, "neighbours": [51, 52], "why": "it is odd"}', 2794886694.0297766);
INSERT INTO rankings VALUES ('r', 'first', 'odd 0', 'lago', 7, '{"why": "best"}', 1, '\x05000000000000000200000000000000', '\x000000000000e03f000000000000f0bf');
INSERT INTO rarefind_version VALUES ('0004');
INSERT INTO standing VALUES ('first', 0, 'Björn ☃', 1);
INSERT INTO standing VALUES ('first', 1, 'ann', 2);
INSERT INTO standing VALUES ('first', 2, 'ann', 3);
INSERT INTO standing VALUES ('first', 4, 'ann', 5);
INSERT INTO standing VALUES ('first', 5, 'ann', 6);
INSERT INTO standing VALUES ('first', 6, 'Björn ☃', 7);
INSERT INTO standing VALUES ('first', 7, 'ann', 8);
INSERT INTO standing VALUES ('first', 8, 'ann', 9);
INSERT INTO standing VALUES ('first', 9, 'Björn ☃', 10);
INSERT INTO standing VALUES ('first', 10, 'ann', 11);
INSERT INTO standing VALUES ('first', 11, 'ann', 12);
INSERT INTO standing VALUES ('first', 40, 'ann', 13);
INSERT INTO standing VALUES ('first', 41, 'ann', 14);
INSERT INTO standing VALUES ('second', 7, 'cem', 17);
INSERT INTO undone VALUES (4, 15);
ALTER TABLE ONLY counter
    ADD CONSTRAINT counter_pkey PRIMARY KEY (id);
ALTER TABLE ONLY datasets
    ADD CONSTRAINT datasets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY events
    ADD CONSTRAINT events_id UNIQUE (id);
ALTER TABLE ONLY events
    ADD CONSTRAINT events_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY hunts
    ADD CONSTRAINT hunts_name UNIQUE (name);
ALTER TABLE ONLY hunts
    ADD CONSTRAINT hunts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (id);
ALTER TABLE ONLY leases
    ADD CONSTRAINT leases_row UNIQUE (hunt, "row", annotator);
ALTER TABLE ONLY rankings
    ADD CONSTRAINT rankings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY rarefind_version
    ADD CONSTRAINT rarefind_version_pkey PRIMARY KEY (version_num);
ALTER TABLE ONLY standing
    ADD CONSTRAINT standing_pkey PRIMARY KEY (hunt, "row", annotator);
ALTER TABLE ONLY undone
    ADD CONSTRAINT undone_pkey PRIMARY KEY (seq);
CREATE INDEX events_by_hunt ON events USING btree (hunt, seq);
CREATE INDEX events_by_row ON events USING btree (hunt, "row", annotator);
CREATE INDEX rankings_by_hunt ON rankings USING btree (hunt);
ALTER TABLE ONLY events
    ADD CONSTRAINT events_hunt FOREIGN KEY (hunt) REFERENCES hunts(id);
ALTER TABLE ONLY hunts
    ADD CONSTRAINT hunts_dataset FOREIGN KEY (dataset) REFERENCES datasets(id);
ALTER TABLE ONLY leases
    ADD CONSTRAINT leases_hunt FOREIGN KEY (hunt) REFERENCES hunts(id);
ALTER TABLE ONLY rankings
    ADD CONSTRAINT rankings_hunt FOREIGN KEY (hunt) REFERENCES hunts(id);
ALTER TABLE ONLY standing
    ADD CONSTRAINT standing_event FOREIGN KEY (seq) REFERENCES events(seq);
ALTER TABLE ONLY standing
    ADD CONSTRAINT standing_hunt FOREIGN KEY (hunt) REFERENCES hunts(id);
ALTER TABLE ONLY undone
    ADD CONSTRAINT undone_by_event FOREIGN KEY (by_seq) REFERENCES events(seq);
ALTER TABLE ONLY undone
    ADD CONSTRAINT undone_event FOREIGN KEY (seq) REFERENCES events(seq);
