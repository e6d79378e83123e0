import { Button } from '@mantine/core'
import type { LiveState } from '../../api/use-live-traces.ts'
import type { TraceSearch } from '../../parts/trace-search.ts'
import styles from './traces.module.css'

interface Props {
  readonly search: TraceSearch
  readonly state: LiveState
  readonly onChange: (next: TraceSearch) => void
}

/** Turns live updates on and off, and shows the state of the connection. */
export function LiveSwitch({ search, state, onChange }: Props) {
  const isOn = search.live !== 'off'
  const { word, look } = !isOn ? looks.paused : looks[state]
  return (
    <Button
      variant="default"
      aria-pressed={isOn}
      title={
        isOn
          ? 'New traces appear automatically. Click to pause.'
          : 'New traces appear after a refresh. Click to let them appear automatically.'
      }
      leftSection={<span className={`${styles.dot} ${look}`} aria-hidden />}
      onClick={() => {
        const { live: _, ...rest } = search
        onChange(isOn ? { ...rest, live: 'off' } : rest)
      }}
    >
      {word}
    </Button>
  )
}

const looks = {
  live: { word: 'Auto-refresh', look: styles.on },
  connecting: { word: 'Connecting', look: styles.reconnecting },
  waiting: { word: 'Reconnecting', look: styles.reconnecting },
  paused: { word: 'Paused', look: styles.off },
} as const
