-- The search compares whole words, so its texts have another form. They are written again in the background.
DROP TABLE IF EXISTS "search_index";
DELETE FROM "search_text";
DELETE FROM "search_entry";
DELETE FROM "insight_chunk";
DELETE FROM "search_state";
