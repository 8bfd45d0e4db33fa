//go:build !linux

package sim

import (
	"errors"
	"time"
)

// alarm is not to be had here.
type alarm struct{}

func newAlarm() (*alarm, error) { return nil, errors.ErrUnsupported }

func (a *alarm) until(time.Time) {}

func (a *alarm) close() {}
