create table images (
  -- Serves deleteImage and listKnownImages.
  name text primary key,
  width integer not null,
  height integer not null,
  placeholder text not null,
  widths integer[] not null,
  created_at timestamptz not null default now()
);
