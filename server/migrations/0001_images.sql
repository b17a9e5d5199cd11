create table images (
  id bigint generated always as identity primary key,
  -- Serves deleteImages, listKnownImages and findAudience.
  name text not null unique,
  -- Null after the owner is deleted, for photos of messages, which stay for the other side.
  owner_id bigint,
  purpose text not null check (purpose in ('avatar', 'photo')),
  width integer not null,
  height integer not null,
  placeholder text not null,
  widths integer[] not null,
  -- The size of all renditions.
  bytes integer not null default 0,
  -- The owner's description for those who can't see the photo.
  alt text,
  -- The listing or the message that has the photo. A photo without either is deleted after a day.
  listing_id bigint,
  message_id bigint,
  -- The position there, from 0; null while the photos of a listing are reordered.
  position smallint,
  created_at timestamptz not null default now(),
  check (num_nonnulls(listing_id, message_id) <= 1)
);
-- Serves sumImageBytes from the index alone, and deleteImagesOf.
create index images_owner on images (owner_id) include (bytes);
-- Serves the photos of listings, and the foreign key when a listing is deleted.
create unique index images_listing on images (listing_id, position) where listing_id is not null;
-- Serves the photos of messages, and the foreign key when a message is deleted.
create index images_message on images (message_id) where message_id is not null;
-- Serves deleteUnusedImages.
create index images_unused on images (created_at)
where purpose = 'photo' and listing_id is null and message_id is null;
