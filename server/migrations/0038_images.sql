-- Photos in the snapshots of reports. Their files stay when their images are deleted.
create table kept_photos (
  name text not null,
  report_id bigint not null references reports (id) on delete cascade,
  widths int[] not null,
  primary key (name, report_id)
);
-- Serves releasePhotos and the foreign key.
create index kept_photos_report on kept_photos (report_id);
