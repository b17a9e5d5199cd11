// Draws the charts of docs/scaling.md.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EChartsOption, init } from 'echarts'
import {
  costParts,
  costPerMillion,
  demands,
  type Inputs,
  membersPerNode,
  membersPerPrimary,
  membersPerShard,
} from './model.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'pictures')
const sizes = [1e4, 1e6, 1e8]
const colors = ['#2f6f4f', '#c65f4a', '#e0a83b', '#4b7ea8', '#8a6fa8', '#8c8c84']

/** Draws all charts that the measurements allow. */
export async function drawCharts(inputs: Inputs): Promise<void> {
  await save('capacity-members', membersChart(inputs))
  await save('capacity-cost', costChart(inputs))
  await save('capacity-saturation', saturationChart(inputs))
  if (inputs.measured.simulation) await save('capacity-simulation', simulationChart(inputs))
}

async function save(name: string, option: EChartsOption): Promise<void> {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 760, height: 400 })
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    color: colors,
    textStyle: { fontFamily: 'sans-serif', fontSize: 13 },
    grid: { left: 64, right: 48, top: 84, bottom: 56 },
    ...option,
  })
  await writeFile(join(folder, `${name}.svg`), `${chart.renderToSVGString()}\n`)
  chart.dispose()
}

const title = (text: string) => ({ text, left: 16, top: 12, textStyle: { fontSize: 16 } })
const legend = { left: 16, top: 44, icon: 'roundRect' }
const axis = (name: string) => ({
  name,
  nameLocation: 'middle' as const,
  nameGap: 32,
  nameTextStyle: { fontSize: 13 },
})

function short(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(2))} M`
  if (value >= 1e3) return `${Number((value / 1e3).toPrecision(2))} k`
  return value < 0.001 ? '< 0.001' : String(Number(value.toPrecision(2)))
}

function membersChart(inputs: Inputs): EChartsOption {
  const bars = [
    ['a node (1 vCPU)', membersPerNode(inputs)],
    ['a primary (32 vCPU)', membersPerPrimary(inputs, 0)],
    ['… with 1 replica', membersPerPrimary(inputs, 1)],
    ['… with 2 replicas', membersPerPrimary(inputs, 2)],
    ['… with 4 replicas', membersPerPrimary(inputs, 4)],
    ['a shard (with its memory)', membersPerShard(inputs)],
  ] as const
  return {
    title: title('Members that one unit carries in the busiest hour'),
    grid: { left: 180, right: 72, top: 56, bottom: 56 },
    xAxis: {
      type: 'log',
      min: 1e4,
      ...axis('members (logarithmic)'),
      axisLabel: { formatter: (value: number) => short(value) },
    },
    yAxis: { type: 'category', inverse: true, data: bars.map(([name]) => name), axisTick: { show: false } },
    series: [
      {
        type: 'bar',
        barWidth: '55%',
        data: bars.map(([, members]) => members),
        label: { show: true, position: 'right', formatter: ({ value }) => short(Number(value)) },
      },
    ],
  }
}

function costChart(inputs: Inputs): EChartsOption {
  const all = [1e5, 1e6, 1e7, 1e8].map((members) => ({
    members,
    costs: costPerMillion(inputs, members),
  }))
  return {
    title: title('Cost per million members'),
    legend,
    xAxis: { type: 'category', data: all.map(({ members }) => short(members)), ...axis('members') },
    yAxis: {
      type: 'value',
      ...axis('US dollars a month per million members'),
      nameGap: 56,
      axisLabel: { formatter: (value: number) => value.toLocaleString('en') },
    },
    series: costParts.map((part) => ({
      name: part,
      type: 'bar',
      stack: 'cost',
      barWidth: '50%',
      data: all.map(({ costs }) => costs[part]),
    })),
  }
}

function saturationChart(inputs: Inputs): EChartsOption {
  const all = sizes.map((members) => ({ members, needs: demands(inputs, members) }))
  const resources = all[0]?.needs.map(({ resource }) => resource) ?? []
  return {
    title: title('Need in the busiest hour: above 1 the resource is saturated'),
    legend,
    grid: { left: 160, right: 48, top: 84, bottom: 56 },
    xAxis: {
      type: 'log',
      min: 1e-7,
      ...axis('nodes, largest primaries or replicas, or Redis servers that are needed (logarithmic)'),
      axisLabel: { formatter: (value: number) => (value < 1e-6 ? '' : String(value)) },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: resources,
      axisTick: { show: false },
      splitLine: { show: true },
    },
    series: all.map(({ members, needs }, index) => ({
      name: `${short(members)} members`,
      type: 'scatter',
      symbolSize: 11,
      data: needs.map(({ resource, units }) => [units, resource]),
      label: {
        show: true,
        position: (['left', 'top', 'right'] as const)[index] ?? 'top',
        fontSize: 11,
        color: '#333333',
        textBorderColor: '#ffffff',
        textBorderWidth: 3,
        formatter: ({ value }) => short(Number(Array.isArray(value) ? value[0] : value)),
      },
      ...(index === 0 && {
        markLine: {
          silent: true,
          z: 0,
          symbol: 'none',
          lineStyle: { color: '#222222', type: 'dashed' },
          label: { show: false },
          data: [{ xAxis: 1 }],
        },
      }),
    })),
  }
}

function simulationChart({ measured: { simulation } }: Inputs): EChartsOption {
  const parts = { nodes: 'node', primary: 'primary', replica: 'replica' } as const
  const lines = Object.entries(parts).flatMap(([name, part], index) =>
    (['predicted', 'measured'] as const).map((kind) => ({
      name,
      type: 'line' as const,
      symbol: 'none',
      lineStyle: { type: kind === 'predicted' ? ('dashed' as const) : ('solid' as const), width: 2 },
      itemStyle: { color: colors[index] ?? '#000000' },
      data: simulation?.[kind][part] ?? [],
    })),
  )
  return {
    title: title('A simulated day: cores in use, predicted (dashed) and measured'),
    legend,
    xAxis: {
      type: 'category',
      data: simulation?.predicted.node.map((_, hour) => String(hour)) ?? [],
      ...axis('hour of the day'),
    },
    yAxis: { type: 'value', ...axis('cores'), nameGap: 40 },
    series: lines,
  }
}
