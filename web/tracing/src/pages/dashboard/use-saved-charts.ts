import { useLocalStorage } from '@mantine/hooks'

/** The user's charts for a project, saved in local storage. */
export function useSavedCharts(projectId: string): readonly [string, (charts: string) => void] {
  const [saved, save] = useLocalStorage({
    key: `assay.charts.${projectId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
    // Stored as plain text, not as JSON.
    serialize: (charts) => charts,
    deserialize: (stored) => stored ?? '',
  })
  return [saved, save]
}
