import { expect, test } from 'vitest'
import { featuresOf } from './features.ts'

test('finds the features of statements that PostgreSQL has normalized', async () => {
  const features = await featuresOf(`
    with due as (
      select id, ($1 || word)::tsvector as words from waiting where due_at <= now() - interval $2 and kind in ($3 /*, ... */)
      for update skip locked
    )
    insert into terms (id, words) select id, words from due
    on conflict (lower(word)) where is_open do update set words = excluded.words returning id`)

  expect([...features].sort()).toEqual([
    'expression index',
    'for update skip locked',
    'function lower',
    'function now',
    'on conflict do update',
    'on conflict with a partial index',
    'on conflict with an expression index',
    'operator ||',
    'returning',
    'type interval',
    'type tsvector',
  ])
})

test('finds the features of a schema', async () => {
  const features = await featuresOf(`
    create unlogged table counts (
      id bigint generated always as identity, word text collate "C", other bigint references words (id) on delete cascade
    );
    create unique index counted on counts using gin (lower(word) gin_trgm_ops) include (id) where id > 0`)

  expect([...features].sort()).toEqual([
    'collation C',
    'covering index (include)',
    'expression index',
    'foreign key',
    'foreign key on delete cascade',
    'function lower',
    'identity column',
    'index gin',
    'operator class gin_trgm_ops',
    'partial index',
    'type int8',
    'type text',
    'unique index',
    'unlogged table',
  ])
})

test('leaves out what a database defines itself', async () => {
  expect([...(await featuresOf('select jobs.job_now()::jobs.job_state'))]).toEqual([])
})
