-- Of a video; a picture has none.
alter table originals add column duration_ms integer;
