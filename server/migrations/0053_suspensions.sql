-- Why a suspension stays, for the member who has appealed. Null as long as the appeal waits.
alter table suspensions add column appeal_answer text;
