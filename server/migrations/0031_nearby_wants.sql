-- How many members of an area want a crop in a week, and how many offer it. Areas are those of features/locations: counties or towns.
create table crop_weeks (
  area integer not null,
  week date not null,
  crop text not null,
  category_id smallint,
  wanted integer not null,
  offered integer not null
);
-- Serves listCropSeasons and replaceCropWeek.
create unique index crop_weeks_area on crop_weeks (area, week, crop, category_id) nulls not distinct;
-- Serves deleteOldCropWeeks.
create index crop_weeks_week on crop_weeks (week);
