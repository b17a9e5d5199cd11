import { getOwnAvatar, getProfile, uploadProfileImage } from '#contract/auth.ts'
import { getPublicMember } from '#contract/members.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { openOwnAvatar } from './avatar.ts'
import { ownProfile, publicProfile, savePersonalInfo } from './profile.ts'

export function memberRoutes(app: App, { db, jobs, images }: Deps) {
  route(app, getProfile, ({ member }) => ownProfile(db, member.id))
  route(app, uploadProfileImage, ({ member, body, file }) =>
    savePersonalInfo({ db, jobs, images }, member.id, body, file),
  )
  route(app, getOwnAvatar, ({ member }) => openOwnAvatar({ db, images }, member.id))
  route(app, getPublicMember, ({ params }) => publicProfile(db, params.id))
}
