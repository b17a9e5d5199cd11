/** What a picture stands or lies on, in the picture's box of 400 by 400, as SVG. */

/** Random enough for wood grain, and the same at every start. */
function sequence(seed: number): (from: number, to: number) => number {
  let state = seed
  return (from, to) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.round((from + (state / 2 ** 32) * (to - from)) * 10) / 10
  }
}

const path = (fill: string, d: string, opacity = 1) =>
  `<path fill="${fill}" d="${d}"${opacity < 1 ? ` opacity="${opacity}"` : ''}/>`
const square = (fill: string) => path(fill, 'M0 0h400v400H0z')
const oval = (fill: string, x: number, y: number, rx: number, ry: number, turn = 0, opacity = 1) =>
  `<ellipse fill="${fill}" cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" transform="rotate(${turn} ${x} ${y})" opacity="${opacity}"/>`

const woods = {
  oak: {
    boards: ['#d8b384', '#cfa877', '#ddba8d', '#c9a06d'],
    gap: '#8e6a42',
    grain: '#b58a58',
    light: '#e9cda5',
  },
  walnut: {
    boards: ['#6e4b35', '#644330', '#77533b', '#5c3d2b'],
    gap: '#37241a',
    grain: '#4d3324',
    light: '#8f6a4f',
  },
  gray: {
    boards: ['#b9b4a8', '#aea99c', '#c4bfb3', '#a6a194'],
    gap: '#716c61',
    grain: '#8d887b',
    light: '#d9d5cb',
  },
  green: {
    boards: ['#7f9c86', '#76937d', '#88a58f', '#6f8c77'],
    gap: '#47604f',
    grain: '#5f7d68',
    light: '#a6bfab',
  },
  white: {
    boards: ['#ece6da', '#e5dfd2', '#f1ecdf', '#dfd8ca'],
    gap: '#b5ac99',
    grain: '#cfc6b4',
    light: '#faf7ef',
  },
} as const

/** Boards with their grain, lying crosswise or, turned, upright. */
export function boards(wood: keyof typeof woods, seed = 1, turn = 0): string {
  const { boards, gap, grain, light } = woods[wood]
  const random = sequence(seed * 97)
  const parts = [`<rect x="-100" y="-100" width="600" height="600" fill="${gap}"/>`]
  let y = -100 + random(0, 60)
  for (let board = 0; y < 500; board++) {
    const height = random(78, 112)
    parts.push(
      path(
        boards[board % boards.length] ?? gap,
        `M-100 ${y + random(0, 2)}L500 ${y + random(0, 2)}L500 ${y + height - 4}L-100 ${y + height - random(3, 5)}Z`,
      ),
      path(light, `M-100 ${y + 2}Q200 ${y + random(1, 5)} 500 ${y + 2}Q200 ${y + 6} -100 ${y + 2}Z`, 0.7),
    )
    for (let line = 0; line < 7; line++) {
      const x = random(-90, 300)
      const at = y + random(8, height - 12)
      const length = random(90, 260)
      const bend = random(-7, 7)
      parts.push(
        path(
          grain,
          `M${x} ${at}Q${x + length / 2} ${at + bend - 1.6} ${x + length} ${at}Q${x + length / 2} ${at + bend + 1.6} ${x} ${at}Z`,
          0.6,
        ),
      )
    }
    if (random(0, 1) > 0.4) {
      const x = random(20, 380)
      const at = y + random(26, height - 26)
      parts.push(
        oval(grain, x, at, random(13, 19), random(6, 9), 0, 0.75),
        oval(gap, x, at, random(5, 8), random(2.5, 4), 0, 0.7),
      )
    }
    y += height
  }
  return `<g transform="rotate(${turn} 200 200)">${parts.join('')}</g>`
}

/** A checked cloth. */
export function gingham(color: string, ground = '#faf5ea', turn = 0, width = 34): string {
  const parts = [`<rect x="-120" y="-120" width="640" height="640" fill="${ground}"/>`]
  for (let at = -120; at < 520; at += width * 2) {
    parts.push(
      path(color, `M${at} -120h${width}v640h-${width}Z`, 0.42),
      path(color, `M-120 ${at}v${width}h640v-${width}Z`, 0.42),
    )
  }
  return `<g transform="rotate(${turn} 200 200)">${parts.join('')}</g>`
}

/** Plain cloth with a few woven stripes and a fold. */
export function linen(cloth: string, stripe: string, seed = 1, turn = 0): string {
  const random = sequence(seed * 31)
  const parts = [`<rect x="-120" y="-120" width="640" height="640" fill="${cloth}"/>`]
  for (let thread = 0; thread < 70; thread++) {
    const x = random(-100, 420)
    const y = random(-100, 500)
    parts.push(path('#ffffff', `M${x} ${y}h${random(20, 70)}v1.4h-${random(20, 60)}Z`, 0.28))
  }
  for (const [at, width] of [
    [-20, 7],
    [-4, 3],
    [330, 9],
    [348, 4],
    [360, 2],
  ] as const)
    parts.push(path(stripe, `M${at} -120h${width}v640h-${width}Z`, 0.7))
  const fold = random(90, 280)
  parts.push(
    path(
      '#2a1a12',
      `M-120 ${fold}Q200 ${fold - 26} 520 ${fold + 18}Q200 ${fold - 8} -120 ${fold + 16}Z`,
      0.09,
    ),
    path(
      '#ffffff',
      `M-120 ${fold - 6}Q200 ${fold - 32} 520 ${fold + 12}Q200 ${fold - 24} -120 ${fold - 2}Z`,
      0.35,
    ),
  )
  return `<g transform="rotate(${turn} 200 200)">${parts.join('')}</g>`
}

/** Dug earth, with its crumbs and a few straws. */
export function soil(seed = 1): string {
  const random = sequence(seed * 53)
  const parts = [square('#5d4331')]
  for (let clod = 0; clod < 130; clod++) {
    const size = random(4, 19)
    const tone = ['#4e3728', '#6b4e39', '#553c2b', '#745640'][clod % 4] ?? ''
    parts.push(
      oval(tone, random(-5, 405), random(-5, 405), size, size * random(0.5, 0.8), random(0, 180), 0.85),
    )
  }
  for (let stone = 0; stone < 14; stone++) {
    const x = random(10, 390)
    const y = random(10, 390)
    parts.push(oval('#3b291d', x + 1.5, y + 2.5, 6, 4), oval('#a39687', x, y, random(4, 7), random(3, 4.6)))
  }
  for (let straw = 0; straw < 12; straw++) {
    const x = random(0, 360)
    const y = random(10, 390)
    const length = random(24, 64)
    const rise = random(-26, 26)
    parts.push(path('#cfae6a', `M${x} ${y}l${length} ${rise}l1 3l-${length} ${-rise}Z`, 0.85))
  }
  return parts.join('')
}

/** A bed of straw. */
export function straw(seed = 1): string {
  const random = sequence(seed * 71)
  const parts = [square('#c29a54')]
  for (let stem = 0; stem < 240; stem++) {
    const x = random(-60, 400)
    const y = random(-40, 440)
    const length = random(60, 170)
    const rise = random(-90, 90)
    const tone = ['#d9b871', '#e8cd8f', '#b58b46', '#f1dda8', '#a67c3a'][stem % 5] ?? ''
    parts.push(path(tone, `M${x} ${y}l${length} ${rise}l1 4.5l-${length} ${-rise}Z`))
  }
  return parts.join('')
}

/** Slabs of stone by the back door. */
export function stone(seed = 1): string {
  const random = sequence(seed * 41)
  const parts = [square('#8f8d86')]
  const slabs = ['#b4b1a8', '#a9a69d', '#bdbab1', '#adaaa2']
  for (const [index, [x, y, width, height]] of (
    [
      [-20, -20, 256, 190],
      [242, -20, 200, 246],
      [-20, 176, 176, 260],
      [162, 232, 280, 200],
    ] as const
  ).entries())
    parts.push(
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="7" fill="${slabs[index]}"/>`,
      path('#cfccc4', `M${x + 6} ${y + 5}h${width - 16}v2.5h-${width - 22}Z`, 0.8),
    )
  for (let speck = 0; speck < 150; speck++)
    parts.push(
      oval(
        speck % 2 ? '#8b8880' : '#d2cfc7',
        random(0, 400),
        random(0, 400),
        random(0.8, 2.6),
        random(0.7, 1.8),
        0,
        0.7,
      ),
    )
  for (let moss = 0; moss < 9; moss++)
    parts.push(oval('#7f9660', 239 + random(-6, 6), random(0, 400), random(3, 8), random(4, 11), 0, 0.8))
  return parts.join('')
}

/** Short grass. */
export function grass(seed = 1): string {
  const random = sequence(seed * 29)
  const parts = [square('#6f9b52')]
  for (let blade = 0; blade < 260; blade++) {
    const x = random(-10, 410)
    const y = random(10, 420)
    const lean = random(-14, 14)
    const tone = ['#85b164', '#5e8a46', '#9cc47a', '#4f7a3e'][blade % 4] ?? ''
    parts.push(
      path(
        tone,
        `M${x - 3} ${y}Q${x} ${y - 16} ${x + lean} ${y - random(24, 40)}Q${x + 4} ${y - 14} ${x + 3} ${y}Z`,
        0.8,
      ),
    )
  }
  return parts.join('')
}

/** Newspaper spread out on the bench. */
export function newspaper(seed = 1, turn = -4): string {
  const random = sequence(seed * 67)
  const parts = [`<rect x="-80" y="-80" width="560" height="560" fill="#e9e4d8"/>`]
  for (let column = 0; column < 4; column++) {
    const x = -40 + column * 122
    parts.push(path('#5c5850', `M${x} -30h${random(70, 106)}v9h-${random(60, 70)}Z`, 0.65))
    for (let y = -10; y < 440; y += 9.5)
      parts.push(path('#8b867b', `M${x} ${y}h${random(84, 108)}v3h-${random(70, 84)}Z`, 0.42))
  }
  parts.push(path('#2a1a12', 'M-80 196L480 190L480 206L-80 202Z', 0.1))
  return `<g transform="rotate(${turn} 200 200)">${parts.join('')}</g>`
}

/** A plain painted ground with ragged edges, as in the seed catalog. */
export function paint(paper: string, wash: string, seed = 1): string {
  const random = sequence(seed * 83)
  const edge: string[] = []
  for (let at = 28; at < 372; at += 17) edge.push(`${random(14, 38)} ${at}`)
  const far: string[] = []
  for (let at = 372; at > 28; at -= 17) far.push(`${random(362, 386)} ${at}`)
  return square(paper) + path(wash, `M${[...edge, ...far].join('L')}Z`, 0.85)
}

/** A wall, and a table before it for what stands. */
export function table(wall: string, top: string, edge = 250): string {
  return [
    square(wall),
    path('#ffffff', `M0 0L160 0L60 ${edge}L0 ${edge}Z`, 0.16),
    path(top, `M0 ${edge}Q200 ${edge - 3} 400 ${edge + 1}V400H0Z`),
    path(
      '#2a1a12',
      `M0 ${edge}Q200 ${edge - 3} 400 ${edge + 1}V${edge + 7}Q200 ${edge + 3} 0 ${edge + 6}Z`,
      0.14,
    ),
    path(
      '#ffffff',
      `M20 ${edge + 70}Q200 ${edge + 62} 330 ${edge + 72}Q200 ${edge + 67} 20 ${edge + 70}Z`,
      0.4,
    ),
    path(
      '#2a1a12',
      `M80 ${edge + 118}Q260 ${edge + 112} 396 ${edge + 120}Q260 ${edge + 116} 80 ${edge + 118}Z`,
      0.08,
    ),
  ].join('')
}

/** A board fence, with the bed before it. */
export function fence(boardsOf: keyof typeof woods, seed = 1, edge = 286): string {
  const random = sequence(seed * 59)
  const parts = [
    boards(boardsOf, seed, 90),
    path('#4a3426', `M0 ${edge}Q90 ${edge - 9} 200 ${edge}T400 ${edge - 3}V400H0Z`),
  ]
  for (let clod = 0; clod < 60; clod++)
    parts.push(
      oval(
        clod % 2 ? '#6b4e39' : '#3a281d',
        random(0, 400),
        random(edge + 6, 398),
        random(3, 10),
        random(2, 6),
        0,
        0.8,
      ),
    )
  for (let blade = 0; blade < 34; blade++) {
    const x = random(0, 400)
    parts.push(
      path(
        blade % 2 ? '#5e9150' : '#84b465',
        `M${x - 3} ${edge + 6}Q${x} ${edge - 10} ${x + random(-12, 12)} ${edge - random(12, 34)}L${x + 3} ${edge + 6}Z`,
      ),
    )
  }
  return parts.join('')
}
