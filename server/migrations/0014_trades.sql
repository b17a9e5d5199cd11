-- A trade moves listings from givers to takers: one listing, two in a swap, three or four in a ring.
create table trades (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('single', 'swap', 'ring')),
  state text not null default 'requested'
    check (state in ('requested', 'accepted', 'done', 'declined', 'withdrawn', 'lapsed')),
  -- No foreign keys to members and listings: a trade stays for the others when a member leaves or a listing is deleted.
  requester_id bigint not null,
  note text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- When an open trade lapses.
  expires_at timestamptz,
  -- When the members are reminded of it; null after the reminder.
  remind_at timestamptz,
  pickup_starts_at timestamptz,
  pickup_ends_at timestamptz,
  pickup_proposed_by bigint,
  pickup_accepted_by bigint[] not null default '{}',
  -- When the members are reminded of an accepted pickup; null after the reminder.
  pickup_remind_at timestamptz,
  check ((expires_at is not null) = (state in ('requested', 'accepted'))),
  check ((pickup_starts_at is null) = (pickup_ends_at is null) and (pickup_starts_at is null) = (pickup_proposed_by is null))
);
-- Serve listDue.
create index trades_expires on trades (expires_at) where expires_at is not null;
create index trades_remind on trades (remind_at) where remind_at is not null;
create index trades_pickup_remind on trades (pickup_remind_at) where pickup_remind_at is not null;
-- Serves countRequests.
create index trades_requester on trades (requester_id) where state = 'requested';

create table trade_legs (
  trade_id bigint not null references trades (id) on delete cascade,
  place smallint not null,
  listing_id bigint not null,
  giver_id bigint not null,
  taker_id bigint not null,
  -- A copy of the listing's data at the start of the trade.
  title text not null,
  type_id smallint not null,
  price numeric(7, 2) not null,
  drawing text not null,
  -- True if a member other than the giver proposed it, so that it is in line for the listing.
  is_requested boolean not null,
  -- True if the giver has agreed.
  accepted boolean not null,
  handed_over boolean not null default false,
  -- Derived from the state of the trade: requested, accepted, or neither.
  status text not null default 'open' check (status in ('open', 'promised', 'closed')),
  -- Serves listLegs.
  primary key (trade_id, place),
  check (giver_id <> taker_id)
);
-- A listing is promised once. Serves listListings and listShownLegs.
create unique index trade_legs_promised on trade_legs (listing_id) where status = 'promised';
-- Serves the place in line, listWaiting, listRequestQueue, listRequested and countRequests.
create index trade_legs_line on trade_legs (listing_id, trade_id) where is_requested and status <> 'closed';
-- Serves listOpenOfListing.
create index trade_legs_open on trade_legs (listing_id, trade_id) where status <> 'closed';
-- Serves listTradeIds of a listing and countRecentRequests.
create index trade_legs_listing on trade_legs (listing_id, trade_id);
-- Serve the counts of a public profile.
create index trade_legs_given on trade_legs (giver_id) where handed_over;
create index trade_legs_received on trade_legs (taker_id) where handed_over;

create table trade_parties (
  trade_id bigint not null references trades (id) on delete cascade,
  member_id bigint not null,
  is_open boolean not null default true,
  -- Serves findTrade.
  primary key (trade_id, member_id)
);
-- Serves listTradeIds and deleteTradesOfFormer.
create index trade_parties_member on trade_parties (member_id, trade_id);
-- Serves listTradeIds by state, and listOpenOf.
create index trade_parties_open on trade_parties (member_id, is_open, trade_id);

create table thanks (
  id bigint generated always as identity primary key,
  trade_id bigint not null references trades (id) on delete cascade,
  author_id bigint not null references users (id) on delete cascade,
  receiver_id bigint not null references users (id) on delete cascade,
  text text not null,
  -- Null unless the listing was public.
  listing_title text,
  created_at timestamptz not null default now(),
  -- Hidden by the receiver.
  hidden_at timestamptz
);
-- One thank-you of each party. Serves insertThanks and listThanksOfTrades.
create unique index thanks_trade on thanks (trade_id, author_id);
-- Serves listThanksTo and their count, and the foreign key when the receiver is deleted.
create index thanks_receiver on thanks (receiver_id, id);
-- Serves the foreign key when the author is deleted.
create index thanks_author on thanks (author_id);

alter table reports add foreign key (thanks_id) references thanks (id) on delete set null;
alter table notifications add foreign key (trade_id) references trades (id) on delete cascade;

-- A ring that its members could propose. Each listing fits a want of its taker.
create table rings (
  id bigint generated always as identity primary key,
  -- In the order of their ids. A ring is stored once, in one order of giving.
  listing_ids bigint[] not null,
  size smallint not null,
  -- From giver to taker, all legs together.
  miles real not null,
  created_at timestamptz not null default now()
);
-- Serves insertRings.
create unique index rings_listings on rings (listing_ids);
-- Serves deleteOldRings.
create index rings_created on rings (created_at);

create table ring_legs (
  ring_id bigint not null references rings (id) on delete cascade,
  place smallint not null,
  want_id bigint not null,
  listing_id bigint not null,
  giver_id bigint not null references users (id) on delete cascade,
  taker_id bigint not null references users (id) on delete cascade,
  -- Serves listSuggestedLegs.
  primary key (ring_id, place),
  foreign key (want_id, listing_id) references matches (want_id, listing_id) on delete cascade
);
-- Serves listSuggestedLegs, and the foreign key when a member is deleted.
create index ring_legs_giver on ring_legs (giver_id, ring_id);
-- Serves the foreign key when a member is deleted.
create index ring_legs_taker on ring_legs (taker_id);
-- Serves the foreign key when a match is deleted.
create index ring_legs_match on ring_legs (want_id, listing_id);
