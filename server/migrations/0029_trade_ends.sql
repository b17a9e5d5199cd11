-- Why an unanswered trade ended without an answer: its listing went to another member, or is not offered any more.
alter table trades
add column end_reason text,
add constraint trades_end_reason check (end_reason in ('given', 'gone')) not valid;
