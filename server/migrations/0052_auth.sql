-- Serves isUsernameTaken: usernames that look the same. Not unique, because some may wait that look the same.
create index registration_requests_spelling on registration_requests (
  translate(lower(replace(username, '_', '')), '01i', 'oll')
);
