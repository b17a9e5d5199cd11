-- Four bits for each term that a listing is filed under, in place of the two of 256 of its `signature`: with those a word that
-- shares its bits with common ones seemed to be in every second listing. All bits say that nothing is known, as until the job
-- has filed the listing anew. The release before goes on with `signature`.
alter table listings add column word_bits bit(384) not null default repeat('1', 384)::bit(384);

create or replace function words_changed() returns trigger language plpgsql as $$
begin
  new.terms_version := 0;
  new.signature := repeat('1', 256)::bit(256);
  new.word_bits := repeat('1', 384)::bit(384);
  return new;
end $$;
