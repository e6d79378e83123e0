import { openDeadlineProcess } from '../src/platform/deadline-process.ts'
import { openLog } from '../src/platform/log.ts'

/*
 * A service for tests that is killed while its process connects to the port of the argument, and never ends the call.
 */

const child = openDeadlineProcess<string, string>({
  module: new URL('./deadline-process-module.ts', import.meta.url),
  name: 'echo process',
  deadlineMs: 60_000,
  idleMs: 60_000,
  maxHeapMb: 64,
  log: openLog('debug', () => {}),
})
const { signal } = new AbortController()
await child.run({ owner: 'acme', signal }, `connect ${process.argv[2]}`)
