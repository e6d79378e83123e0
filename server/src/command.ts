import { tolerateClosedOutput } from './closed-output.ts'
import { runProbe } from './probe/run-probe.ts'
import { runCommand } from './run-command.ts'

/*
 * `npm run assay -- …`: the process of a command of operators, or of the probe (probe/).
 */

tolerateClosedOutput()
// Stops when `npm run assay` is killed and cannot forward a signal.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()

const terminal = {
  print: (line: string) => void process.stdout.write(`${line}\n`),
  complain: (line: string) => void process.stderr.write(`${line}\n`),
}
const args = process.argv.slice(2)
// The probe talks to a running service over HTTP and does not use the data folder.
process.exitCode =
  args[0] === 'probe' ? await runProbe(args.slice(1)) : await runCommand(args, terminal)
