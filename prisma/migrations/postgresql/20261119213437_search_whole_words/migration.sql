-- The search compares whole words, so its texts have another form. They are written again in the background.
TRUNCATE TABLE "search_text", "search_entry", "insight_chunk", "search_state";
