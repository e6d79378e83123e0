/*
 * The turn of the fake conversation that a request is for. Clients phrase the conversation differently; the
 * logic in common is here.
 */

export interface Turn {
  /** Responses of different turns have different ids. */
  readonly number: 1 | 2
  /** The tool call with its arguments; undefined for a text response. */
  readonly call: { readonly name: string; readonly arguments: Record<string, string> } | undefined
  readonly text: string
  /** Tokens as OpenAI counts them: input includes cached tokens, output includes reasoning. */
  readonly input: number
  readonly output: number
  readonly reasoning: number
  readonly cached: number
}

/** A response as JSON or, if the client requested a stream, as server-sent events or AWS's event stream. */
export type Reply =
  | { readonly whole: unknown }
  | { readonly binary: Buffer }
  | { readonly events: readonly { readonly event?: string; readonly data: unknown }[] }

export const answeringModel = 'gpt-4o-mini-2024-07-18'
const finalAnswer = 'It is 14 degrees and raining in Paris.'

/** `wantsJson`: the client requested an object. */
export function nextTurn(
  toolNames: readonly string[],
  hasResult: boolean,
  wantsJson = false,
): Turn {
  const called = hasResult
    ? toolNames.find((name) => name === 'final_answer')
    : (toolNames.find((name) => /weather|^Bash$|shell|^exec_command$/.test(name)) ?? toolNames[0])
  const first = { input: 50, output: 20, reasoning: 4 }
  const last = { input: 80, output: 12, reasoning: 0 }
  return {
    number: hasResult ? 2 : 1,
    call:
      called === undefined
        ? undefined
        : {
            name: called,
            arguments: hasResult ? { answer: finalAnswer } : argumentsOf(called),
          },
    text: wantsJson ? JSON.stringify({ city: 'Paris' }) : finalAnswer,
    cached: 16,
    ...(hasResult || called === undefined ? last : first),
  }
}

/** Coding agents have no tool for the weather but a shell. */
function argumentsOf(tool: string): Record<string, string> {
  const command = 'echo 14 rain'
  if (tool === 'exec_command') return { cmd: command }
  if (!['Bash', 'run_shell_command'].includes(tool)) return { city: 'Paris' }
  return { command, description: 'The weather in Paris' }
}
