import type { Blueprint, BlueprintEntity, BlueprintTask } from '@assay/contract/blueprint.ts'

/*
 * A blueprint as Markdown. Written from the checked blueprint, so it cannot contradict it.
 */

export function renderBlueprint({ domain, agent, system_of_record, tasks }: Blueprint): string {
  const { entities, relations } = system_of_record
  const sections = [
    `# Agent blueprint: ${inLine(domain)}`,
    ['## System prompt', quoted(agent.system_prompt)].join('\n\n'),
    section('Tone', agent.tone === '' ? [] : [inLine(agent.tone)]),
    section('Goals', agent.goals.map(bullet)),
    section(
      'Tools',
      agent.tools.map(
        ({ name, description, entity, effect }) =>
          `- \`${code(name)}\`: ${inLine(description)} (${effect}${entity === null ? '' : ` ${inLine(entity)}`})`,
      ),
    ),
    section(
      'Policies',
      agent.policies.map(({ id, text, source_quote: quote }) =>
        [
          `- **${inLine(id)}** ${inLine(text)}`,
          quote === null ? '  No sentence of the source says this.' : `  > ${inLine(quote)}`,
        ].join('\n'),
      ),
    ),
    section('Records', entities.map(entityTable), '\n\n'),
    section(
      'Relations',
      relations.map((one) =>
        bullet(`${one.from_entity}.${one.from_field} → ${one.to_entity}.${one.to_field}`),
      ),
    ),
    section('Tasks', tasks.map(taskText), '\n\n'),
  ]
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`
}

function section(title: string, parts: readonly string[], between = '\n'): string {
  return parts.length === 0 ? '' : `## ${title}\n\n${parts.join(between)}`
}

function entityTable({ name, fields, rows }: BlueprintEntity): string {
  const line = (cells: readonly string[]) => `| ${cells.map(inCell).join(' | ')} |`
  return [
    `### ${inLine(name)}`,
    '',
    line(fields.map((field) => `${field.name} (${field.type}${field.unique ? ', unique' : ''})`)),
    line(fields.map(() => '-')),
    ...rows.map((row) => line(fields.map((field) => String(row[field.name] ?? '')))),
  ].join('\n')
}

function taskText({ id, title, category, brief, known, unknown, ...task }: BlueprintTask): string {
  const calls = task.expected_calls.map(
    (call) => `\`${code(`${call.tool}(${JSON.stringify(call.arguments)})`)}\``,
  )
  return [
    `### ${inLine(id)}: ${inLine(title)} (${category})`,
    '',
    inLine(brief),
    '',
    ...(known.length === 0 ? [] : [bullet(`Known: ${known.join('; ')}`)]),
    ...(unknown.length === 0 ? [] : [bullet(`Unknown: ${unknown.join('; ')}`)]),
    ...(calls.length === 0 ? [] : [`- Expected calls: ${calls.join(', ')}`]),
    bullet(`Expected outcome: ${task.expected_outcome}`),
  ].join('\n')
}

const bullet = (text: string) => `- ${inLine(text)}`

/** Texts come from a model: as text only, without markup of their own. */
function inLine(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>#|!]/g, String.raw`\$&`)
    .trim()
}

const inCell = (text: string) => inLine(text)
const code = (text: string) => text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')
const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${inLine(line)}`.trimEnd())
    .join('\n')
