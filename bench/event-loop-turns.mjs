import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into a service before it starts: measures the CPU time of each turn of its event loop, which other processes on
 * the machine do not change. The first SIGUSR2 begins, the second writes the longest, in milliseconds, to the file
 * BENCH_TURNS_FILE.
 */

const file = process.env['BENCH_TURNS_FILE']
if (isMainThread && file !== undefined) {
  let longestMs = 0
  let isMeasuring = false
  let before = process.threadCpuUsage()
  const measureTurn = () => {
    const { user, system } = process.threadCpuUsage(before)
    longestMs = Math.max(longestMs, (user + system) / 1000)
    before = process.threadCpuUsage()
    if (isMeasuring) setImmediate(measureTurn)
  }
  process.on('SIGUSR2', () => {
    isMeasuring = !isMeasuring
    if (isMeasuring) {
      longestMs = 0
      before = process.threadCpuUsage()
      setImmediate(measureTurn)
    } else writeFileSync(file, String(longestMs))
  })
}
