// Package viewtest makes snapshots for the tests of whatever draws them: the
// scenes that golden files show, and random ones with extreme values.
//
// Start with Scenes and Random.
package viewtest
