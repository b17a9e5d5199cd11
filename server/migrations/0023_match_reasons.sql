-- The reason of a match as data, which becomes a sentence when it is read. The previous release reads and writes the English sentence in
-- `reason`; the next release drops that column.
alter table matches add column why jsonb;
