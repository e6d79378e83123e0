import {
  IconArrowsSort,
  IconChartDots3,
  IconCircleDashed,
  IconClipboardCheck,
  IconDatabase,
  IconFunction,
  IconLink,
  IconMessage2,
  IconPlugConnected,
  IconRobot,
  IconSearch,
  IconShield,
  IconTool,
} from '@tabler/icons-react'
import { isWellKnown, kindColor, toKind, type WellKnownKind } from './kinds.ts'

interface Props {
  readonly kind: string
  readonly sizePx?: number
}

/** The icon of a span kind, with its name for assistive technology and on hover. */
export function KindIcon({ kind, sizePx = 16 }: Props) {
  const Icon = isWellKnown(kind) ? icons[kind] : IconCircleDashed
  const { label } = toKind(kind)
  return (
    <span title={label} style={{ display: 'inline-flex', flex: 'none', color: kindColor(kind) }}>
      <Icon size={sizePx} stroke={1.75} role="img" aria-label={label} />
    </span>
  )
}

const icons: Readonly<Record<WellKnownKind, typeof IconRobot>> = {
  agent: IconRobot,
  llm: IconMessage2,
  tool: IconTool,
  function: IconFunction,
  retriever: IconSearch,
  embedding: IconChartDots3,
  reranker: IconArrowsSort,
  chain: IconLink,
  guardrail: IconShield,
  evaluator: IconClipboardCheck,
  mcp: IconPlugConnected,
  memory: IconDatabase,
}
