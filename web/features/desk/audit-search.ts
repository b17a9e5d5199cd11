/** The query string of the audit log: its filters. The desk's own script knows the actions and the kinds of targets. */
export interface AuditSearch {
  action?: string | undefined
  actor?: number | undefined
  /** The kind and the id of what was acted on. */
  target?: string | undefined
  target_id?: number | undefined
}

/** Reads the query string of the audit log. Leaves out values of another type. */
export function parseAuditSearch({ action, actor, target, target_id }: Record<string, unknown>): AuditSearch {
  return { action: textIn(action), actor: idIn(actor), target: textIn(target), target_id: idIn(target_id) }
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function idIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined
}
