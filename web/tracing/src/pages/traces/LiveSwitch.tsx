import { Button } from '@mantine/core'
import type { LiveState } from '../../api/live-traces.ts'
import type { TraceSearch } from './trace-search.ts'
import styles from './traces.module.css'

interface Props {
  readonly search: TraceSearch
  readonly state: LiveState
  readonly onChange: (next: TraceSearch) => void
}

/** Whether new traces appear by themselves, and whether the stream that brings them is up. */
export function LiveSwitch({ search, state, onChange }: Props) {
  const isOn = search.live !== 'off'
  const { word, look } = !isOn ? looks.paused : looks[state]
  return (
    <Button
      variant="default"
      aria-pressed={isOn}
      title={
        isOn ? 'New traces appear by themselves. Press to pause.' : 'Press to follow new traces.'
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
  live: { word: 'Live', look: styles.on },
  connecting: { word: 'Connecting', look: styles.between },
  waiting: { word: 'Reconnecting', look: styles.between },
  paused: { word: 'Paused', look: styles.off },
} as const
