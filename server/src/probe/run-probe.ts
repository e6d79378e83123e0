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
    const secretName = options.email === undefined ? 'Session cookie' : 'Password'
    const [key = '', secret = ''] = await readLines(['Tracing key', secretName])
    const print = (line: string) => void process.stdout.write(`${line}\n`)
    return await probe(options, { key, secret }, { print, stop: stop.signal })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

/** From standard input, because command arguments are visible to every user of the machine. */
async function readLines(names: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = []
  const ask = () => {
    const name = names[lines.length]
    if (process.stdin.isTTY) process.stderr.write(`${name} (it is shown as you type): `)
  }
  const input = createInterface({ input: process.stdin })
  ask()
  for await (const line of input) {
    lines.push(line)
    if (lines.length === names.length) {
      input.close()
      process.stdin.destroy()
      return lines
    }
    ask()
  }
  throw new Error(`${names[lines.length]}: line ${lines.length + 1} of standard input is missing.`)
}
