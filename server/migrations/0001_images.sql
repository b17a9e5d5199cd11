-- The migrations of users, listings and messages add the foreign keys to them.
create table images (
  id bigint generated always as identity primary key,
  -- The files' name without their width and ending.
  name text not null unique,
  -- Null after the owner is deleted, for photos of messages, which stay for the other member.
  owner_id bigint,
  purpose text not null check (purpose in ('avatar', 'photo')),
  -- The size of the largest file, in pixels.
  width integer not null,
  height integer not null,
  -- A tiny preview as a data URL.
  placeholder text not null,
  -- Each file is one of these widths.
  widths integer[] not null,
  -- The size of all files.
  bytes integer not null default 0,
  -- The owner's description for those who can't see the photo.
  alt text,
  -- The listing or the message that has the photo. A photo (not an avatar) without either is deleted after a day.
  listing_id bigint,
  message_id bigint,
  -- The position in the listing or the message, from 0; null while the photos of a listing are reordered.
  position smallint,
  created_at timestamptz not null default now(),
  check (num_nonnulls(listing_id, message_id) <= 1)
);
-- Serves sumImageBytes from the index alone, and deleteImagesOf.
create index images_owner on images (owner_id) include (bytes);
-- Serves the photos of listings, and the deletion of a listing.
create unique index images_listing on images (listing_id, position) where listing_id is not null;
-- Serves the photos of messages, and the deletion of a message.
create index images_message on images (message_id) where message_id is not null;
-- Serves deleteUnusedImages.
create index images_unused on images (created_at)
where purpose = 'photo' and listing_id is null and message_id is null;
