import * as desk from '#contract/desk.ts'
import { deskRow, noInput, problem, type Row } from './row.ts'

export const rowsOfDesk: readonly Row[] = [
  deskRow(desk.listAuditLog, 'of all', 200, () => ({ query: {} })),
  deskRow(desk.listDeskMembers, 'all', 200, noInput),
  deskRow(desk.grantRole, 'to a new member', 200, async (fixture) => {
    const { username } = await fixture.extra()
    return { body: { username, role: 'moderator' } }
  }),
  deskRow(desk.revokeRole, 'of a moderator', 204, async (fixture) => {
    const { id, username } = await fixture.extra()
    await fixture.cast.operator.call(desk.grantRole, { body: { username, role: 'moderator' } })
    return { params: { id }, body: {} }
  }),
  deskRow(
    desk.revokeRole,
    'of the last operator',
    problem(409, desk.deskMessages.lastOperator),
    ({ cast }) => ({
      params: { id: cast.operator.id },
      body: {},
    }),
  ),
]
