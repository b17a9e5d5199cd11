-- The code has the purposes: "logo" is new, whose images are of the site and have no owner. A check would need a new migration for each.
alter table images drop constraint images_purpose_check;
