create table wants (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  title text not null,
  category_id smallint check (category_id in (1, 2, 3)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The version of the rules for the index terms, or 0 if they are missing or outdated.
  terms_version smallint not null default 0
);
-- Serves listWantsOf, listWantIdsOf and listWantCandidatesAmong, and the foreign key when a member is deleted.
create index wants_user on wants (user_id, id);
-- Serves listUnindexedWants.
create index wants_terms_version on wants (terms_version);

-- The inverted index of the wants: the words and concepts of their titles. `wanted` marks those that a matching listing offers.
create table want_terms (
  term text collate "C" not null,
  want_id bigint not null references wants (id) on delete cascade,
  wanted boolean not null,
  -- Copied from the want, so that candidates can be checked in the index.
  user_id bigint not null,
  category_id smallint,
  -- Serves listWantsWith, findLastCandidate, countWantsWith, listWantTermsStarting and listWantCandidatesAmong.
  primary key (term, want_id)
);
-- Serves listWantCandidates and listWantsWithTerms with index-only scans.
create index want_terms_wanted on want_terms (term, want_id) include (user_id, category_id) where wanted;
-- Serves deleteWantTerms, and the foreign key when a want is deleted.
create index want_terms_want on want_terms (want_id);
