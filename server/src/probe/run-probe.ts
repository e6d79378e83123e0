import { createInterface } from 'node:readline'
import { probe } from './probe.ts'
import { probeOptions, probeUsage } from './probe-options.ts'

/** Runs `assay probe` and resolves with the exit code when it is done or stopped. */
export async function runProbe(args: readonly string[]): Promise<0 | 1 | 2> {
  if (args.includes('--help') || args.includes('-h')) {
    for (const line of probeUsage) process.stdout.write(`${line}\n`)
    return 0
  }
  const options = probeOptions(args)
  if (typeof options === 'string') {
    for (const line of [options, '', ...probeUsage]) process.stderr.write(`${line}\n`)
    return 2
  }
  const stop = new AbortController()
  // Every signal: npm forwards what the terminal has sent already.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
  // Nobody reads the results.
  process.stdout.once('error', () => stop.abort())
  try {
    const secret = await firstLine(options.email === undefined ? 'Session cookie' : 'Password')
    const print = (line: string) => void process.stdout.write(`${line}\n`)
    return await probe(options, secret, { print, stop: stop.signal })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

/** From standard input, because command arguments are visible to every user of the machine. */
async function firstLine(prompt: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(`${prompt} (it is shown as you type): `)
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    lines.close()
    process.stdin.destroy()
    return line
  }
  throw new Error(`${prompt}: nothing came on standard input.`)
}
