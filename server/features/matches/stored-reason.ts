/** Selects the reason of match `m` as JSON: a `StoredReason`. */
export const storedReason = 'coalesce(m.why, to_jsonb(m.reason))'
