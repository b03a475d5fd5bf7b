package main

import "sync"

// row is what is stored of a game: the bytes as they came, and the revision beside them.
type row struct {
	snapshot []byte
	revision uint32
}

// store stands for a backend's database: one row a game, replaced only at the revision that was read.
type store struct {
	mutex sync.Mutex
	rows  map[string]row
}

func (s *store) add(id string, added row) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.rows[id] = added
}

func (s *store) load(id string) row {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.rows[id]
}

// replace is as `UPDATE games SET snapshot = ?, revision = ? WHERE id = ? AND revision = ?`.
func (s *store) replace(id string, following row, readAt uint32) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.rows[id].revision != readAt {
		return false
	}
	s.rows[id] = following
	return true
}
