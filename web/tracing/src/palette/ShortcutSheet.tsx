import { Modal } from '@mantine/core'
import styles from './palette.module.css'
import { type ShortcutGroup, shortcutGroups } from './shortcuts.ts'
import { useGoPages } from './use-go-keys.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function ShortcutSheet({ isOpen, onClose }: Props) {
  const [everywhere, ...pages] = shortcutGroups
  const goTo = useGoPages().map(({ title, goKey }) => ({ keys: [`g ${goKey}`], action: title }))
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size="lg">
      <div className={styles.groups}>
        {[everywhere, { where: 'Go to', shortcuts: goTo }, ...pages].map(
          (group) => group !== undefined && <Group key={group.where} {...group} />,
        )}
      </div>
    </Modal>
  )
}

function Group({ where, shortcuts }: ShortcutGroup) {
  return (
    <section className={styles.shortcuts}>
      <h3 className={styles.groupTitle}>{where}</h3>
      <dl className={styles.keys}>
        {shortcuts.map(({ keys, action }) => (
          <div key={action} className={styles.shortcut}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
