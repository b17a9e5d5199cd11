import { register } from '#contract/auth.ts'
import {
  approveRegistration,
  listRegistrationRequests,
  refuseRegistration,
} from '#contract/registration-requests.ts'
import type { Deps } from '#server/deps.ts'
import { registrationLimit } from '#server/features/auth/limits.ts'
import { type App, RouteResponse, route } from '#server/platform/http/route.ts'
import { registerPerson } from './registration.ts'
import { approveRequest, oldestRequests, refuseRequest } from './requests.ts'

export function registrationRoutes(app: App, deps: Deps) {
  const registrations = registrationLimit(deps)
  route(app, register, async ({ body, address, language }) => {
    await registrations.attempt(body.email, address)
    const registered = await registerPerson(deps, body, { address, language })
    return 'message' in registered ? new RouteResponse(registered, {}, 202) : registered
  })
  route(app, listRegistrationRequests, () => oldestRequests(deps.db))
  route(app, approveRegistration, ({ member, params }) => approveRequest(deps, member.id, params.id))
  route(app, refuseRegistration, ({ member, params, body }) =>
    refuseRequest(deps, member.id, params.id, body.reason ?? ''),
  )
}
