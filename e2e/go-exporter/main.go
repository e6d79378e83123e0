// Sends one trace, one metric and one log record with OpenTelemetry's Go SDK, configured only by environment
// variables, and prints the trace ID.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/metric"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

func main() {
	if err := send(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func send(ctx context.Context) error {
	spans, err := otlptracehttp.New(ctx)
	if err != nil {
		return err
	}
	points, err := otlpmetrichttp.New(ctx)
	if err != nil {
		return err
	}
	records, err := otlploghttp.New(ctx)
	if err != nil {
		return err
	}
	tracers := sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans))
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(points)))
	loggers := sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(records)))

	ctx, span := tracers.Tracer("shop").Start(ctx, "pay")
	orders, err := meters.Meter("shop").Int64Counter("orders")
	if err != nil {
		return err
	}
	orders.Add(ctx, 3, metric.WithAttributes(attribute.String("route", "/pay")))
	var record log.Record
	record.SetSeverity(log.SeverityError)
	record.SetBody(attribute.StringValue("the shop did not answer"))
	loggers.Logger("shop").Emit(ctx, record)
	span.SetStatus(codes.Error, "no answer")
	span.End()
	fmt.Println(span.SpanContext().TraceID())

	return errors.Join(tracers.Shutdown(ctx), meters.Shutdown(ctx), loggers.Shutdown(ctx))
}
