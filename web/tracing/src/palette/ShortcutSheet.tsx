import { Modal } from '@mantine/core'
import styles from './palette.module.css'
import { shortcutGroups } from './shortcuts.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function ShortcutSheet({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts">
      {shortcutGroups.map(({ where, shortcuts }) => (
        <section key={where} className={styles.shortcuts}>
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
      ))}
    </Modal>
  )
}
