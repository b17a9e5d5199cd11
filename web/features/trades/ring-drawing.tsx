import { t } from '@lingui/core/macro'
import { useId } from 'react'
import type { RingSuggestion } from '#contract/trades.ts'
import { pictureOf } from '#web/features/listings/listing-thumbnail.tsx'
import { pictureUrl } from '#web/ui/picture-url.ts'
import css from './ring-drawing.module.css'
import { arc, pointAt } from './ring-geometry.ts'

type RingLeg = RingSuggestion['legs'][number]

const radius = 104
const memberRadius = 27
/** Leaves the circle's line free. */
const portraitRadius = memberRadius - 1
const pictureSide = 46
/** The gap for a member or a picture, as a fraction of the circle. */
const gap = { member: 0.055, picture: 0.045 }

/** Draws the members of a ring on a circle, with the listing that one gives to the next between them. The text is beside it. */
export function RingDrawing({ legs, me }: { legs: readonly RingLeg[]; me: number | undefined }) {
  const arrow = useId()
  const share = 1 / legs.length
  return (
    <svg viewBox="-160 -160 320 320" className={css.ring} aria-hidden="true">
      <defs>
        <marker id={arrow} viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M1 1 7 4 1 7" className={css.head} />
        </marker>
      </defs>
      {legs.map(({ listing }, index) => {
        const at = index * share
        const middle = at + share / 2
        return (
          <g key={listing.id}>
            <path d={arc(at + gap.member, middle - gap.picture, radius)} className={css.line} />
            <path
              d={arc(middle + gap.picture, at + share - gap.member, radius)}
              className={css.line}
              markerEnd={`url(#${arrow})`}
            />
            <Picture listing={listing} turn={middle} />
          </g>
        )
      })}
      {legs.map(({ giver }, index) => (
        <Member key={giver.id} member={giver} turn={index * share} isMe={giver.id === me} />
      ))}
    </svg>
  )
}

function Picture({ listing, turn }: { listing: RingLeg['listing']; turn: number }) {
  const { x, y } = pointAt(turn, radius)
  const box = {
    x: x - pictureSide / 2,
    y: y - pictureSide / 2,
    width: pictureSide,
    height: pictureSide,
  }
  return (
    <>
      <image
        {...box}
        href={pictureOf({ ...listing, image: null }).src}
        preserveAspectRatio="xMidYMid slice"
      />
      <rect {...box} className={css.edge} />
    </>
  )
}

type MemberProps = { member: RingLeg['giver']; turn: number; isMe: boolean }

/** A member with the name. Drawn after all lines, because the name has a halo over them. */
function Member({ member: { username, profile_picture }, turn, isMe }: MemberProps) {
  const { x, y } = pointAt(turn, radius)
  const name = isMe ? t`you` : username
  return (
    <>
      <circle cx={x} cy={y} r={memberRadius} className={isMe ? css.me : css.member} />
      {profile_picture === null ? (
        <text x={x} y={y} dy="0.35em" className={css.initial}>
          {Array.from(username)[0]?.toUpperCase()}
        </text>
      ) : (
        <image
          x={x - portraitRadius}
          y={y - portraitRadius}
          width={2 * portraitRadius}
          height={2 * portraitRadius}
          href={pictureUrl(profile_picture)}
          preserveAspectRatio="xMidYMid slice"
          className={css.portrait}
        />
      )}
      {/* Above the upper half and below the lower half of the circle. */}
      <text x={x} y={y + (y < -1 ? -memberRadius - 8 : memberRadius + 16)} className={css.name}>
        {shortened(name)}
      </text>
    </>
  )
}

const maxNameLength = 14

function shortened(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name
}
