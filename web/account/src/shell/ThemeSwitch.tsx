import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

/** Light, dark, or the system setting. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      fullWidth
      aria-label="Color scheme"
      value={colorScheme}
      onChange={setColorScheme}
      data={choices.map(({ value, word, Icon }) => ({
        value,
        label: (
          <span style={{ display: 'grid', placeItems: 'center', height: 18 }} title={word}>
            <Icon size={15} stroke={1.75} role="img" aria-label={word} />
          </span>
        ),
      }))}
    />
  )
}

const choices = [
  { value: 'light', word: 'Light', Icon: IconSun },
  { value: 'dark', word: 'Dark', Icon: IconMoon },
  { value: 'auto', word: 'System', Icon: IconDeviceDesktop },
] as const
