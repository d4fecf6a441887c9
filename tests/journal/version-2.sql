-- A journal as version 2 wrote it; never to be changed.
PRAGMA application_id = 1383427330;
PRAGMA user_version = 2;
BEGIN TRANSACTION;
CREATE TABLE clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    match INTEGER NOT NULL,
    t REAL NOT NULL
) STRICT;
INSERT INTO "clock" VALUES(1,2,1234.5);
CREATE TABLE events (
    match INTEGER NOT NULL,
    number INTEGER NOT NULL,
    t REAL NOT NULL,
    wall TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    score TEXT,
    sum INTEGER NOT NULL,
    PRIMARY KEY (match, number)
) STRICT;
INSERT INTO "events" VALUES(1,0,0.0,'2026-03-01T18:30:00+00:00','match','{"rules":"rummikub","options":{"entry":"timed"},"season":null,"edition":2}',NULL,2610779838);
INSERT INTO "events" VALUES(1,1,0.0,'2026-03-01T18:30:00+00:00','started','{"players":["Ann","Ben"],"t":0.0,"rounds":1,"first":0,"aside":null,"handicaps":[]}','{"sheet":{"players":["Ann","Ben"],"rounds":[],"corrections":[],"agreements":[]},"over":false}',3442484457);
INSERT INTO "events" VALUES(1,2,10.0,'2026-03-01T18:30:00+00:00','pressed','{"player":0,"t":10.0,"long":false}',NULL,64501426);
INSERT INTO "events" VALUES(1,3,10.25,'2026-03-01T18:30:00+00:00','seen','{"table":[["red-1","red-2","red-3","red-4","red-5","red-6","red-7"],["blue-1","blue-2","blue-3","blue-4","blue-5","blue-6","blue-7"]],"t":10.25,"doubts":[],"words":[],"unsure":[]}',NULL,3799492012);
INSERT INTO "events" VALUES(1,4,20.0,'2026-03-01T18:30:00+00:00','hand-shown','{"player":1,"tiles":["red-8","red-9","red-10","red-11","red-12","red-13","blue-8","blue-9","blue-10","blue-11","blue-12","blue-13","red-1","blue-1"],"t":20.0}','{"sheet":{"players":["Ann","Ben"],"rounds":[{"winner":0,"hands":[0,128],"scores":[128,-128],"ending":"went-out","in_one_turn":true}],"corrections":[],"agreements":[]},"over":true}',982208603);
INSERT INTO "events" VALUES(2,0,0.0,'2026-03-01T18:30:00+00:00','match','{"rules":"ravensburger","options":{"jokers":"2"},"season":"Winter","edition":2}',NULL,681498165);
INSERT INTO "events" VALUES(2,1,0.0,'2026-03-01T18:30:00+00:00','started','{"players":["Ann","Ben"],"t":0.0,"rounds":1,"first":0,"aside":null,"handicaps":[]}','{"sheet":{"players":["Ann","Ben"],"rounds":[],"corrections":[],"agreements":[]},"over":false}',3765739849);
INSERT INTO "events" VALUES(2,2,10.0,'2026-03-01T18:30:00+00:00','pressed','{"player":0,"t":10.0,"long":false}',NULL,1401115923);
INSERT INTO "events" VALUES(2,3,10.25,'2026-03-01T18:30:00+00:00','seen','{"table":[["red-1","red-2","red-3","red-4","red-5","red-6","red-7"],["blue-1","blue-2","blue-3","blue-4","blue-5","blue-6","blue-7"]],"t":10.25,"doubts":[],"words":[],"unsure":[]}',NULL,3205636192);
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    rules TEXT NOT NULL,
    options TEXT NOT NULL,
    season INTEGER REFERENCES seasons (id),
    begun TEXT NOT NULL,
    given_up INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "matches" VALUES(1,'rummikub','{"entry": "timed"}',NULL,'2026-03-01T18:30:00+00:00',0);
INSERT INTO "matches" VALUES(2,'ravensburger','{"jokers": "2"}',1,'2026-03-01T18:30:00+00:00',0);
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO "players" VALUES(1,'Ann');
INSERT INTO "players" VALUES(2,'Ben');
CREATE TABLE seasons (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO "seasons" VALUES(1,'Winter');
CREATE TABLE seats (
    match INTEGER NOT NULL REFERENCES matches (id),
    seat INTEGER NOT NULL,
    player INTEGER NOT NULL REFERENCES players (id),
    PRIMARY KEY (match, seat)
) STRICT;
INSERT INTO "seats" VALUES(1,0,1);
INSERT INTO "seats" VALUES(1,1,2);
INSERT INTO "seats" VALUES(2,0,1);
INSERT INTO "seats" VALUES(2,1,2);
CREATE INDEX scored ON events (match, number) WHERE score IS NOT NULL;
CREATE TRIGGER never_changed BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal only grows: an event is never changed'); END;
CREATE TRIGGER never_deleted BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal only grows: an event is never deleted'); END;
COMMIT;
