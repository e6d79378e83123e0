import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from '../../server/src/cost-estimate/count-tokens.ts'
import { toToolText } from '../../server/src/cost-estimate/tool-text.ts'

/*
 * Derives airline-runs.json from `historical_trajectories/gpt-4o-airline.json` of sierra-research/tau-bench (MIT):
 * `node bench/estimates/derive-counts.ts FILE TOOLS`, where TOOLS is a JSON list of what its tools return from `get_info`,
 * without `type`. Only token counts are kept, no text.
 */

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly tool_calls?: readonly { readonly function: unknown }[]
}

interface ToolInfo {
  readonly name: string
  readonly description: string
  readonly parameters: unknown
}

interface Trajectory {
  readonly task_id: number
  readonly traj: readonly Message[]
}

const [file = '', toolsFile = ''] = process.argv.slice(2)
const read = (path: string) => readFileSync(path, 'utf8')
const trajectories = JSON.parse(read(file)) as Trajectory[]

function countText(text: string): number {
  return Object.values(countTokens(text)).reduce((sum, one) => sum + one, 0)
}

function count({ content, tool_calls: calls = [] }: Message): number {
  const texts = [content ?? '', ...calls.map((one) => JSON.stringify(one.function))]
  return texts.reduce((sum, text) => sum + countText(text), 0)
}

/** Per call: its output, then the tool results and the user messages before the next call. */
function toRun({ task_id: task, traj }: Trajectory) {
  const calls: [out: number, tool: number, user: number][] = []
  let opening = 0
  for (const message of traj.slice(1)) {
    const tokens = count(message)
    const last = calls.at(-1)
    if (message.role === 'assistant') calls.push([tokens, 0, 0])
    else if (last === undefined) opening += tokens
    else last[message.role === 'tool' ? 1 : 2] += tokens
  }
  return { task, opening, calls: calls.map((call) => call.join('/')).join(' ') }
}

const system = trajectories[0]?.traj[0]
if (system?.role !== 'system') throw new Error('the file has another form')
const toolTexts = (JSON.parse(read(toolsFile)) as ToolInfo[]).map(
  ({ name, description, parameters }) => {
    const content = JSON.stringify(parameters)
    return toToolText({ kind: 'tool', mode: 'simulated', name, description, content }).typed
  },
)
const toolTokens = toolTexts.reduce((sum, text) => sum + countText(text), 0)
const head = { systemTokens: count(system), toolTokens, toolCount: toolTexts.length }
const runs = trajectories.map((one) => `    ${JSON.stringify(toRun(one))}`).join(',\n')
const text = `{\n${JSON.stringify(head).slice(1, -1)},\n  "runs": [\n${runs}\n  ]\n}\n`
writeFileSync(join(import.meta.dirname, 'airline-runs.json'), text)
