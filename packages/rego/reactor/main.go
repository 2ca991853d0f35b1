//go:build wasip1

// The program that runs Rego modules: Open Policy Agent's own packages behind four functions. The host is
// packages/rego/src/instance. A panic ends the instance for good, and the host then denies the call.
package main

import (
	"encoding/json"
	"runtime/debug"
	"unsafe"
)

const (
	// Percentage of the live heap that may be garbage. Little is live: OPA's own tables are not in the heap.
	garbagePercent = 600
	// Bytes at which garbage is collected whatever the percentage says. The memory of the instance ends at 256 MiB.
	memoryLimit = 200 << 20
)

var (
	// Buffers that the host fills, by address.
	inputs = map[int32][]byte{}
	// The last answer. It stays until the next call.
	out []byte
)

func init() {
	debug.SetGCPercent(garbagePercent)
	debug.SetMemoryLimit(memoryLimit)
}

func main() {}

//go:wasmexport alloc
func alloc(size int32) int32 {
	buffer := make([]byte, max(size, 1))
	address := int32(uintptr(unsafe.Pointer(&buffer[0])))
	inputs[address] = buffer[:size]
	return address
}

//go:wasmexport out_ptr
func outPtr() int32 { return int32(uintptr(unsafe.Pointer(&out[0]))) }

// call answers a request: JSON in, JSON out. It returns the length of the answer.
//
//go:wasmexport call
func call(address int32) int32 {
	var r request
	if err := json.Unmarshal(take(address), &r); err != nil {
		return answer(&response{Error: err.Error()})
	}
	return answer(respond(&r))
}

// evaluate runs a prepared module on an input. A negative length says that the answer is the text of an error.
//
//go:wasmexport evaluate
func evaluate(handle int32, address int32) int32 {
	input := take(address)
	p := prepared[handle]
	if p == nil {
		return evaluationError("unknown handle")
	}
	text, err := p.evaluate(input)
	if err != nil {
		return evaluationError(failureText(err))
	}
	out = text
	return int32(len(out))
}

func evaluationError(text string) int32 {
	out = []byte(text)
	return -int32(len(out))
}

func take(address int32) []byte {
	buffer := inputs[address]
	delete(inputs, address)
	return buffer
}

func answer(r *response) int32 {
	text, err := json.Marshal(r)
	if err != nil {
		text, _ = json.Marshal(&response{Error: err.Error()})
	}
	out = text
	return int32(len(out))
}
