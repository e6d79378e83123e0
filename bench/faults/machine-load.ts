import { cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/*
 * What the machine does besides a row: times that a busy machine missed are no fault of the service.
 */

export interface MachineLoad {
  /** Of the last minute. */
  readonly average: number
  /** The share of the processors that was in use, from 0 to 1. */
  readonly usedShare: number
}

/** From this share on, times say little. */
const busyShare = 0.5

const sampleMs = 2000

/** Takes two seconds. To be measured while the rows do nothing, so that it is what others do. */
export async function measureLoad(): Promise<MachineLoad> {
  const before = processorTimes()
  await sleep(sampleMs)
  const after = processorTimes()
  const total = after.total - before.total
  const usedShare = total === 0 ? 0 : 1 - (after.idle - before.idle) / total
  return { average: loadavg()[0] ?? 0, usedShare }
}

function processorTimes(): { readonly idle: number; readonly total: number } {
  let [idle, total] = [0, 0]
  for (const { times } of cpus()) {
    idle += times.idle
    total += times.user + times.nice + times.sys + times.idle + times.irq
  }
  return { idle, total }
}

export const isBusy = ({ usedShare }: MachineLoad) => usedShare >= busyShare

export const describeLoad = ({ average, usedShare }: MachineLoad) =>
  `load average ${average.toFixed(1)}, ${Math.round(usedShare * 100)}% used by others`
