import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface MemoryGroup {
  /** For `runService`: runs the service in the group. */
  readonly through: readonly string[]
  /** Call it when the service has ended. */
  remove(): void
}

/** As the guide says for little memory: large buffers are returned to the system when they are freed. */
export const littleMemoryEnv = {
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '262144',
}

let groups = 0

/** A control group with this much memory; undefined where that is not permitted. */
export function openMemoryGroup(bytes: number): MemoryGroup | undefined {
  // Versions 1 and 2 of control groups.
  const [root, limit] = existsSync('/sys/fs/cgroup/memory')
    ? ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes']
    : ['/sys/fs/cgroup', 'memory.max']
  const group = join(root, `assay-test-${process.pid}-${++groups}`)
  try {
    mkdirSync(group)
    writeFileSync(join(group, limit), String(bytes))
  } catch {
    return undefined
  }
  const processes = join(group, 'cgroup.procs')
  return {
    through: ['sh', '-c', `echo $$ > ${processes} && exec "$@"`, 'sh'],
    remove: () => rmdirSync(group),
  }
}
