import { useLocalStorage } from '@mantine/hooks'

/** The own charts that a person keeps for a project, in this browser. */
export function useSavedCharts(projectId: string): readonly [string, (charts: string) => void] {
  const [saved, save] = useLocalStorage({
    key: `assay.charts.${projectId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
    // Whatever else writes there: only text is understood.
    serialize: (charts) => charts,
    deserialize: (stored) => stored ?? '',
  })
  return [saved, save]
}
